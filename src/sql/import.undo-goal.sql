-- What goals counted on the day.
delete from goal_day
where day = @day
