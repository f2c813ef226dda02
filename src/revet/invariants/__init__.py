"""Generated invariants: a library below the engines. It guesses candidates, from the program's text
(:mod:`candidates`, :mod:`cells`) or from reachable states (:mod:`samples`, :mod:`templates`), and keeps
those that are inductive together (:mod:`houdini`). What it returns is inductive relative to what it was
told to assume; an engine puts it into its certificate, where the checker proves it again.
"""
