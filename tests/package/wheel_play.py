"""`halyard play` of the wheel serves its page and its match; it ends on SIGINT."""
import re
import signal
import subprocess
import sys
import urllib.request

child = subprocess.Popen(["halyard", "play", "--bots", "2", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
try:
    for line in child.stdout:
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        if found:
            break
    else:
        sys.exit("it ended before it said where its page is")
    with urllib.request.urlopen(found.group(0), timeout=60) as answer:
        page = answer.read().decode()
    script = re.search(r'src="\.?/?(assets/index[^"]*\.js)"', page).group(1)
    with urllib.request.urlopen(found.group(0) + script, timeout=60) as answer:
        assert len(answer.read()) > 10000
finally:
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=120)
