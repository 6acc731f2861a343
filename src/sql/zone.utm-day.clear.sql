delete from utm_day
where day >= @day
