-- One number that a filter names.
select filter, id from temp.chosen
union all
select 'client', id from temp.chosen_client
union all
select 'place', id from temp.chosen_place
union all
select 'origin', id from temp.chosen_origin
union all
select 'campaign', id from temp.chosen_campaign
