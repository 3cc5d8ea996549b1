"""References: finding them, and removing them together with what cannot stand without."""

from cesplan.emulator.rules.references import found_in, without

A, B = "projects/p/locations/us/apps/x/agents/a", "projects/p/locations/us/apps/x/agents/b"


def test_references_are_found_at_any_depth():
    """Each reference has its path and the kind of its target; outward ones are none of ours."""
    body = {
        "childAgents": [A, B],
        "transferRules": [{"childAgent": B}],
        "remoteDialogflowAgent": {"agent": "projects/p/locations/us/agents/dialogflow"},
    }
    found = [(ref.path, ref.kind, ref.target) for ref in found_in("Agent", body)]
    assert found == [
        ("childAgents[0]", "agents", A),
        ("childAgents[1]", "agents", B),
        ("transferRules[0].childAgent", "agents", B),
    ]


def test_an_element_that_needs_the_reference_goes_with_it():
    """A transfer rule has a required childAgent: without it the whole rule goes."""
    body = {
        "displayName": "x",
        "childAgents": [A, B],
        "transferRules": [{"childAgent": A, "direction": "PARENT_TO_CHILD"}, {"childAgent": B}],
    }
    assert without("Agent", body, {A}) == {
        "displayName": "x",
        "childAgents": [B],
        "transferRules": [{"childAgent": B}],
    }


def test_a_message_that_is_left_empty_goes_too():
    """A chunk that only transferred to the agent is gone; its neighbors stay."""
    chunks = [{"text": "hello"}, {"agentTransfer": {"targetAgent": A}}]
    body = {"displayName": "E", "messages": [{"role": "agent", "chunks": chunks}]}
    left = without("Example", body, {A})
    assert left["messages"] == [{"role": "agent", "chunks": [{"text": "hello"}]}]


def test_what_does_not_refer_stays_as_it_is():
    """Empty messages, unknown fields and texts that only look like the name are left alone."""
    body = {"llmAgent": {}, "displayName": A, "later": {"agent": A}, "childAgents": [B]}
    assert without("Agent", body, {A}) == body
