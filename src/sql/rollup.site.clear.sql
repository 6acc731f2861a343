delete from site_day
where day = @period
