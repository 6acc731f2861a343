-- The new segment.
insert into segment (name, filters, created_by, created_at)
values (@name, @filters, @created_by, @created_at)
returning id
