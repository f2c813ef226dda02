"""Engines × tasks: what ``revet bench`` runs, counts and draws.

=============  ==================================================================
``tasks``      task lists: files, folders, SV-COMP ``.yml`` and ``.set``, CSV
``runs``       one run: a process family of its own, and what came of it
``journal``    every finished run on a line of a file; the next bench goes on from there
``local``      runs side by side on this machine
``cluster``    runs on the workers of a dask.distributed cluster
``score``      verdicts against expectations, SV-COMP's score
``tables``     the table, the CSV file and the plots
=============  ==================================================================
"""
