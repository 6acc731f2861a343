insert into temp.erased_label (id)
select title_id from page where id = @id and title_id is not null
union
select title_id from title_day where page_id = @id
union
select title_id from view where page_id = @id and title_id is not null
