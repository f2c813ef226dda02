"""The tree as plain data."""

import pickle

from revet.engines.cegar.art import Art, ArtNode
from revet.logic import build as b
from revet.logic.sorts import INT

X = b.var("x", INT)


def test_a_tree_can_be_sent_and_read() -> None:
    nodes = (
        ArtNode(0, "l0", ()),
        ArtNode(1, "l1", (X >= 0, X <= 3), 0, "x := 0"),
        ArtNode(2, "l1", (X.eq(1),), 1, "x := x + 1", covered_by=1),
    )
    tree = pickle.loads(pickle.dumps(Art(nodes)))
    assert str(tree) == "3 nodes, 1 covered"
    assert [node.number for node in tree.children(tree.nodes[1])] == [2]
    assert [node.number for node in tree.at("l1")] == [1, 2]
    assert tree.nodes[1].formula is b.and_(X >= 0, X <= 3)
