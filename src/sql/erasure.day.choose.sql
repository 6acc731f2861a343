insert into temp.target (id, next_id)
values (@first_view_id, @next_view_id)
