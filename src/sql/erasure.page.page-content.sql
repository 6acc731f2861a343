delete from page_content
where page_id = @id
