-- The new annotation.
insert into annotation (at, whole_day, text, kind, link, created_by, created_at)
values (@at, @whole_day, @text, @kind, @link, @created_by, @created_at)
returning id
