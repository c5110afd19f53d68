"""Takes 200 MiB, and plays well: MLE or OK, as the limit is."""

from obedient_one_shot import main

weights = b"x" * (200 << 20)
main()
