update packed_day
set columns = @columns
where day = @day
