-- Only if the day did not change while it was recalculated.
delete from dirty_day
where day = @day
  and marks = @marks
