insert into temp.erased_label (id)
select @id
union
select key_id from event_key where name_id = @id
union
select value_id from event_value where name_id = @id
