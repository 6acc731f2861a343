delete from title_day
where day >= @day
