update rolled_period
set complete = 1
where period = @period
