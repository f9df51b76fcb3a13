"""A private network on one machine, where real servers with made-up names stand.

Two network namespaces are joined by a pair of virtual cables. In one, the host side, a command runs;
in the other, the far side, every address there is belongs to the servers. Neither has another way out,
so nothing leaves the machine. Each server writes down what it gets (journal.py), and so does a tap on
the cable (tap.py), so that a test can see that something arrived, or that nothing did.
"""
