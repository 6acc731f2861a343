delete from event_property_rollup
where name_id = @id
