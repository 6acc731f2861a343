delete from title_day
where day = @period
