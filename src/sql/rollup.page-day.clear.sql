delete from page_day
where day = @day
