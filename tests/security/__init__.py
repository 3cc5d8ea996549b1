"""
Attacks, each written as the attacker would make it: nothing ran, nothing left, nothing leaked.

| from | files |
|---|---|
| the tree | tree_and_git, tree_at_a_commit, processes, bombs, hostile_trees, secrets_stay_secret |
| the tree, a plan file | who_gets_the_token |
| the service, the console's users | hostile_answers, outputs, pulled_names |
| a web page, clients of the emulator | web_page, emulator_bombs, emulator_data |
| others on the same machine | files |

Pipelines beside a hostile tree are in tests/pipelines. `traps` has programs that leave a mark when they run,
`watching` a process that writes down what it opens, starts and talks to.
"""
