"""Records of every shape for the grammar of constructs: layouts, bytes, and expressions of their types."""

from __future__ import annotations

from random import Random

_SCALARS = ("char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "float", "double")
_BIT_FIELDS = (("int", 31), ("unsigned", 32), ("unsigned char", 8), ("_Bool", 1))
_ATTRIBUTES = ("packed", "aligned(2)", "aligned(8)", "aligned(16)", "packed, aligned(4)", "unused")


class RecordGrammar:
    """Productions about structures and unions."""

    random: Random

    def _attribute(self) -> str:
        return f" __attribute__(({self.random.choice(_ATTRIBUTES)}))" if self.random.random() < 0.4 else ""

    def _fields(self, depth: int, prefix: str, names: list[str], earlier: list[str]) -> str:
        """Fields, some of them in records without a name; the scalars among them go into ``names``."""
        fields = []
        for number in range(self.random.randint(1, 4)):
            name, choice = f"{prefix}{number}", self.random.random()
            if choice < 0.25 and depth:
                inner = self._fields(depth - 1, f"{name}_", names, earlier)
                fields.append(f"{self.random.choice(('struct', 'union'))} {{ {inner} }}{self._attribute()};")
            elif choice < 0.4:
                type, width = self.random.choice(_BIT_FIELDS)
                fields.append(f"{type} {name} : {self.random.randint(1, width)};")
                names.append(f"{name}:")
            elif choice < 0.5 and earlier:
                fields.append(f"{self.random.choice(earlier)} {name};")
            elif choice < 0.6:
                fields.append(f"{self.random.choice(_SCALARS)} {name}[{self.random.randint(1, 3)}];")
                names.append(f"{name}[0]")
            else:
                fields.append(f"{self.random.choice(_SCALARS)} {name}{self._attribute()};")
                names.append(name)
        return " ".join(fields)

    def construct_layout(self) -> tuple[str, str]:
        """Sizes, offsets and bytes of records, with attributes before and behind the brace and pragmas."""
        made: list[tuple[str, list[str]]] = []
        text = []
        for number in range(3):
            names: list[str] = []
            earlier = [type for type, _ in made]
            fields = self._fields(2, "f", names, earlier)
            tag = self.random.choice(("struct", "union"))
            before, behind = self._attribute(), self._attribute()
            if self.random.random() < 0.5:
                text.append(f"typedef {tag}{before} {{ {fields} }}{behind} T{number};")
                made.append((f"T{number}", names))
            else:
                text.append(f"{tag}{before} S{number} {{ {fields} }}{behind};")
                made.append((f"{tag} S{number}", names))
            if self.random.random() < 0.2:
                most = self.random.choice((1, 2, 4))
                text[-1] = f"#pragma pack(push, {most})\n{text[-1]}\n#pragma pack(pop)"
        body = []
        for number, (type, names) in enumerate(made):
            scalars = [name for name in names if not name.endswith(":")]
            text.append(f"static {type} o{number}; static char size{number}[sizeof({type})];")
            body.append(f"  result = result * 31 + (int)sizeof({type}) + (int)_Alignof({type}) * 3;")
            body.append(f"  result = result * 31 + (int)sizeof size{number};")
            body += [
                f"  result = result * 31 + (int)__builtin_offsetof({type}, {name.removesuffix('[0]')});"
                for name in scalars
            ]
            written = self.random.choice(names).removesuffix(":") if names else None
            if written is not None:
                bytes_ = f"((unsigned char *)&o{number})[i]"
                body.append(f"  o{number}.{written} = {self.random.randint(1, 100)};")
                body.append(f"  for (int i = 0; i < (int)sizeof o{number}; i++)")
                body.append(f"    result = (result * 7 + {bytes_}) % 1000003;")
        return "\n".join(text), "\n".join(body)

    def _record_value(self, depth: int) -> str:
        """An expression of type ``struct r``: every kind of expression that may have such a value."""
        choice = self.random.randint(0, 9 if depth else 3)
        number = self.random.randint(0, 2)
        if choice < 4:
            literal = f"(struct r){{ .n = {self.random.randint(-9, 9)}, .v[1] = a }}"
            return (f"x[{number}]", f"(*(x + {number}))", literal, "y.in")[choice]
        one = self._record_value(depth - 1)
        return (
            f"make({one}, {number})",
            f"(a > {number} ? {one} : {self._record_value(depth - 1)})",
            f"(count++, {one})",
            f"(z = {one})",
            f"({{ struct r t = {one}; t.n += {number}; t; }})",
            f"((struct s){{ {number}, {one} }}).in",
        )[choice - 4]

    def construct_record_value(self) -> tuple[str, str]:
        declared = (
            "struct r { short n; int v[2]; int *p; }; struct s { char c; struct r in; };\n"
            "static int count, k = 3;\n"
            "static struct r make(struct r x, int n) { x.v[n & 1] += n; x.p = &k; count++; return x; }"
        )
        taken = "".join(
            f"  result = result * 31 + ({self._record_value(2)}).{part};\n"
            for part in self.random.choices(("n", "v[0]", "v[1]", "v[count & 1]", "p == &k"), k=2)
        )
        return declared, (
            "  struct r x[3] = { { 1, { 2, 3 }, &k }, { .n = 4 } }, z = x[0];\n"
            "  struct s y = { 1, { 5, { 6 } } };\n"
            f"{taken}  struct r v = {self._record_value(2)}, w = {self._record_value(2)};\n"
            "  result = result * 31 + z.n + v.n + w.v[1] * 3 + count + (v.p == &k);"
        )

    def construct_bytes(self) -> tuple[str, str]:
        """One object, accessed by its members, as characters, by block operations, and as a whole."""
        names: list[str] = []
        fields = self._fields(1, "f", names, [])
        names = [name.removesuffix(":") for name in names] or ["last"]
        where = self.random.choice(("static ", ""))
        start = self.random.choice((" = { 0 }", f" = {{ .last = {self.random.randint(-99, 99)} }}"))
        cast = self.random.choice(("char", "unsigned char", "signed char"))
        body = [
            f"  {where}struct o s{start}, t[2]; {cast} *p = ({cast} *)&s; void *q = t; size_t n = sizeof s;",
            "  memset(t, 0, sizeof t);" if where == "" else "",
            "  memset(&s, 0, n);" if where == "" or self.random.random() < 0.3 else "",
        ]
        actions = (
            lambda: f"s.{self.random.choice(names)} = {self.random.randint(0, 99)};",
            lambda: f"s.{self.random.choice(names)}++;",
            lambda: f"p[{self.random.randint(0, 200)} % n] ^= {self.random.randint(1, 127)};",
            lambda: f"*(p + n - 1) += {self.random.randint(1, 9)};",
            lambda: f"t[{self.random.randint(0, 1)}] = s;",
            lambda: f"s = *((struct o *)q + {self.random.randint(0, 1)});",
            lambda: f"memcpy(&t[1], p, {self.random.choice(('n', 'n / 2', '1'))});",
            lambda: f"memmove(p + 1, p, n - {self.random.randint(1, 2)});",
            lambda: f"memset((char *)q + {self.random.randint(0, 3)}, {self.random.randint(0, 9)}, n / 3);",
            lambda: f"((struct o *)q)->{self.random.choice(names)} = s.{self.random.choice(names)};",
            lambda: f"for (int i = 0; i < (int)n; i += {self.random.randint(1, 3)}) p[i] = i;",
        )
        body += [f"  {self.random.choice(actions)()}" for _ in range(self.random.randint(2, 6))]
        read = self.random.choice(("p", "((unsigned char *)q)", "((char *)&t[1])"))
        part = self.random.choice(names)
        body += [
            f"  for (int i = 0; i < (int)n; i++) result = (result * 7 + {read}[i]) % 1000003;",
            f"  result = result * 3 + (s.{part} == t[0].{part});",
        ]
        head = "#include <stddef.h>\n#include <string.h>\n"
        return f"{head}struct o {{ {fields} int last; }};", "\n".join(body)
