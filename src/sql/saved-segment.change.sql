-- The segment with another name and other filters.
update segment
set name = @name,
  filters = @filters
where id = @id
