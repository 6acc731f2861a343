delete from funnel_day
where day = @period
