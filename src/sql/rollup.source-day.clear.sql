delete from source_day
where day = @day
