"""ddzbot: a Dou Dizhu (斗地主) competition bot; everything that travels to the judge lives in this package."""

__version__ = "1.0.0.dev0"
