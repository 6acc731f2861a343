-- Only if nothing came while the day was derived.
delete from dirty_day
where day = @day
  and marks = @marks
