"""``python -m ragdebug``."""

from ragdebug.cli import main

if __name__ == "__main__":
    main()
