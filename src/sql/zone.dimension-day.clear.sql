delete from dimension_day
where day >= @day
