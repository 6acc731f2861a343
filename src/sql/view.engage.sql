-- The largest values count, so repeated and late updates do no harm.
update view
set seconds = iif(@seconds is null, seconds, max(ifnull(seconds, 0), @seconds)),
  scroll = iif(@scroll is null, scroll, max(ifnull(scroll, 0), @scroll))
where id = @id
