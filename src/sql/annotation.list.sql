-- An annotation of a range of days: of a day by its date, of a moment by its second.
select id, at, whole_day, text, kind, link, created_by, created_at
from annotation
where (whole_day = 1 and at between @from and @to)
  or (whole_day = 0 and at >= @start and at < @end)
order by id
