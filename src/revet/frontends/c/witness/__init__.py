"""SV-COMP witnesses, format 2.0 (YAML): evidence that other tools read.

:mod:`writing` prints correctness witnesses (invariants) and violation witnesses (a run);
:mod:`reading` reads them; :mod:`annotate` puts a witness's invariants into the program's text so
that the front end parses and lowers them in their scope; :mod:`invariants` and :mod:`violation`
make the content from certificates and runs.
"""
