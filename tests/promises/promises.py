"""The promises that this suite tests, with the names that its tests carry."""

PROMISES = {
    "P01": "it_really_runs_inside",
    "P02": "setuid_gives_nothing",
    "P03": "no_capability_and_never_host_root",
    "P04": "the_system_call_wall_stands",
    "P05": "no_new_namespace",
    "P06": "nothing_outside_can_be_seen_signalled_traced_or_read",
    "P07": "the_home_folder_is_not_there",
    "P08": "credentials_are_not_there",
    "P09": "only_granted_places_are_writable",
    "P13": "host_sockets_are_out_of_reach",
    "P14": "runtime_and_secret_folders_are_masked",
    "P15": "no_descriptor_leaks",
    "P16": "only_harmless_devices",
    "P17": "the_callers_keyrings_are_out_of_reach",
    "P18": "system_v_and_posix_ipc_are_separate",
    "P19": "the_environment_is_built_not_inherited",
    "P20": "no_typing_into_the_callers_terminal",
    "P22": "git_runs_with_curated_settings",
    "P23": "nothing_is_reachable_that_was_not_granted",
    "P24": "no_name_outside_a_grant_leaves_by_dns",
    "P25": "private_addresses_are_refused",
    "P26": "a_granted_name_works_without_proxy_variables",
    "P27": "the_name_in_the_clear_is_the_granted_one",
    "P28": "no_datagram_leaves_no_other_family_exists",
    "P29": "secrets_given_to_the_supervisor_never_come_inside",
    "P33": "bombs_stay_inside",
    "P34": "there_is_no_off_switch_inside",
}


def test_id(promise):
    return f"{promise}_{PROMISES[promise]}"
