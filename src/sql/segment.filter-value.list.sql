-- One id that a filter lists.
select filter, id from temp.filter_value
union all
select 'client', id from temp.filter_client
union all
select 'place', id from temp.filter_place
union all
select 'origin', id from temp.filter_origin
union all
select 'campaign', id from temp.filter_campaign
