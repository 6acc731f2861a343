delete from title_day
where page_id = @id
