-- What goals that name the erased page or event counted on days that cannot be counted again.
delete from goal_day
where goal_id in (select id from goal where pattern = @value)
