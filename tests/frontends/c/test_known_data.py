"""Programs that know most of their data: strings, lists and tables, with a few inputs. Run by run, what a run
knows folds; each program is proved with all default groups, and each of its faults is found."""

from __future__ import annotations

from pathlib import Path

import pytest

import revet
from revet.result import Exhausted, Safe

ACCOUNTS = """
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct account { char owner[12]; long balance; struct account *next; };
static struct account *bank;
extern int amount(void);

static struct account *find(const char *owner) {
    for (struct account *a = bank; a; a = a->next)
        if (strcmp(a->owner, owner) == 0) return a;
    return NULL;
}

static struct account *opened(const char *owner) {
    struct account *a = find(owner);
    if (a) return a;
    a = malloc(sizeof *a);
    if (!a) return NULL;
    strcpy(a->owner, owner);
    a->balance = 0;
    a->next = bank;
    bank = a;
    return a;
}

int main(void) {
    struct account *ann = opened("ann"), *bob = opened("bob");
    if (!ann || !bob) return 1;
    ann->balance = 100;
    int paid = amount();
    if (paid > 0 && paid <= ann->balance) { ann->balance -= paid; bob->balance += paid; }
    assert(find("ann")->balance + find("bob")->balance == 100);
    assert(ann->balance >= 0);
    while (bank) { struct account *next = bank->next; free(bank); bank = next; }
    return 0;
}
"""

MAP = """
#include <assert.h>
#include <stdlib.h>
struct entry { unsigned key; int value; struct entry *next; };
static struct entry *table[4];
extern unsigned any(void);

static int put(unsigned key, int value) {
    for (struct entry *e = table[key % 4]; e; e = e->next)
        if (e->key == key) { e->value = value; return 1; }
    struct entry *e = malloc(sizeof *e);
    if (!e) return 0;
    e->key = key; e->value = value; e->next = table[key % 4];
    table[key % 4] = e;
    return 1;
}

static int get(unsigned key) {
    for (struct entry *e = table[key % 4]; e; e = e->next)
        if (e->key == key) return e->value;
    return -1;
}

int main(void) {
    unsigned a = any(), b = any();
    if (!put(a, 1) || !put(b, 2)) return 0;
    assert(get(b) == 2);
    assert(a == b || get(a) == 1);
    return 0;
}
"""

FAULTS = {
    "the check of what is left is gone": (ACCOUNTS, "paid <= ann->balance", "paid <= 1000"),
    "used after it was freed": (ACCOUNTS, "free(bank); bank = next;", "free(bank); bank = bank->next;"),
    "a name that is too long": (ACCOUNTS, 'opened("bob")', 'opened("bob the builder")'),
    "the rest of the bucket is lost": (MAP, "e->next = table[key % 4];", "e->next = NULL;"),
    "no memory": (MAP, "if (!e) return 0;", ""),
}


def checked(folder: Path, text: str) -> revet.Result:
    path = folder / "known.c"
    path.write_text(text)
    return revet.check(
        path, engine="bmc", options={"strategy": "depth-first"}, large_blocks=False, timeout=120
    )


@pytest.mark.parametrize("text", [ACCOUNTS, MAP], ids=["accounts", "map"])
def test_it_is_proved(tmp_path: Path, text: str) -> None:
    answer = checked(tmp_path, text)
    assert isinstance(answer.verdict, Safe), answer.verdict
    certificate = answer.verdict.certificate
    assert isinstance(certificate, Exhausted) and certificate.one_by_one


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(tmp_path: Path, fault: str) -> None:
    text, right, wrong = FAULTS[fault]
    assert right in text
    assert checked(tmp_path, text.replace(right, wrong)).status == "unsafe"


def test_strings_that_are_copied_leave_memory_its_types(tmp_path: Path) -> None:
    """What the library's preconditions look at is no other view of memory."""
    path = tmp_path / "known.c"
    path.write_text(ACCOUNTS)
    names = [variable.name for variable in revet.load(path).model.variables]
    assert any(name.endswith(".pointer") for name in names)
    assert not any(name.endswith(".bytes") for name in names)
