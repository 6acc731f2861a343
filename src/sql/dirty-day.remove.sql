delete from dirty_day
where day = @day
