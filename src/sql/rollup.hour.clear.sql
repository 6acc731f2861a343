delete from hour_day
where day = @period
