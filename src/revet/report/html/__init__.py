"""``--html``: an answer as one self-contained page, and as a fragment for notebooks.

Everything that comes from outside (sources, names, values, messages) passes through
:func:`html.escape` or, in the script's data, through JSON with ``<`` written as an escape; the
page forbids itself the network by its content security policy.
"""

from revet.report.html.fragment import html_fragment
from revet.report.html.page import html_report

__all__ = ["html_fragment", "html_report"]
