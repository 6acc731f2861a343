-- name: add
-- The new annotation.
insert into annotation (at, whole_day, text, kind, link, created_by, created_at)
values (@at, @whole_day, @text, @kind, @link, @created_by, @created_at)
returning id

-- name: change
-- The annotation with other content.
update annotation
set at = @at,
  whole_day = @whole_day,
  text = @text,
  kind = @kind,
  link = @link
where id = @id

-- name: remove
-- The annotation.
delete from annotation
where id = @id

-- name: find
-- An annotation.
select id, at, whole_day, text, kind, link, created_by, created_at
from annotation
where id = @id

-- name: count
-- How many annotations there are.
select count(*) as annotations
from annotation

-- name: list
-- An annotation of a range of days: of a day by its date, of a moment by its second.
select id, at, whole_day, text, kind, link, created_by, created_at
from annotation
where (whole_day = 1 and at between @from and @to)
  or (whole_day = 0 and at >= @start and at < @end)
order by id
