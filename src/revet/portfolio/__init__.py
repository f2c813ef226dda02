"""Several configurations side by side in worker processes; the first confirmed answer wins."""

from revet.portfolio.configuration import Configuration, asked_for, choose, left_out, parse_engines
from revet.portfolio.features import Features, features_of, features_of_program
from revet.portfolio.interrupt import Interrupt
from revet.portfolio.limits import Limits
from revet.portfolio.run import PortfolioRun, run_portfolio

__all__ = [
    "Configuration", "Features", "Interrupt", "Limits", "asked_for", "choose", "features_of",
    "features_of_program", "left_out", "parse_engines", "run_portfolio", "PortfolioRun",
]
