"""The variables that a judged program gets are a short list; all others stay the user's own."""

import re
import sys

from tools.programs.environment import OUTSIDE, environment

KEPT = ["DDZ_KERNEL", "DDZ_NO_KERNEL", "LANG", "LANGUAGE", "LC_ALL", "LC_TIME", "PATH", "TZ"]
OURS = ["DDZ_CACHE", "DDZ_SANDBOX", "PYTHONPATH", "XDG_CACHE_HOME"]
OTHERS = re.findall(
    r"\w+",
    """
    ANTHROPIC_API_KEY API_KEY AWS_SECRET AWS_SECRET_ACCESS_KEY BASH_ENV CC CFLAGS CLASSPATH DB_PASSWORD DDZ_SEED
    DISPLAY EDITOR ENV GITHUB_TOKEN GIT_DIR HTTPS_PROXY JAVA_HOME JAVA_TOOL_OPTIONS LANGUAGES LC_ LD_LIBRARY_PATH
    LD_PRELOAD MALLOC_ARENA_MAX MYPATH MY_SECRET NODE_OPTIONS NODE_PATH OMP_NUM_THREADS PATHS PERL5LIB PWD
    PYTHONHASHSEED PYTHONHOME PYTHONSTARTUP PYTHONUNBUFFERED RUBYOPT SECRET SHELL SHLVL SITE_SECRET SSH_AUTH_SOCK
    TZDIR USERNAME _
    """,
)


def test_a_program_gets_what_is_on_the_list_and_nothing_else() -> None:
    everything = {name: f"value of {name}" for name in (*KEPT, *OURS, *OTHERS, *OUTSIDE)}
    assert {*OUTSIDE} >= {"HOME", "LOGNAME", "TMPDIR", "USER"} and (sys.platform == "win32" or len(OUTSIDE) == 4)
    assert sorted(environment(everything)) == sorted([*KEPT, *OUTSIDE])
    ours = environment(everything, is_ours=True)
    assert sorted(ours) == sorted([*KEPT, *OURS, *OUTSIDE])
    assert ours.items() <= everything.items()
