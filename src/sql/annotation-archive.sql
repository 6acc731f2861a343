-- name: annotation.restore
-- The annotation of an archive, unless there is one of the same moment, kind and text.
insert into annotation (at, whole_day, text, kind, link, created_by, created_at)
select @at, @whole_day, @text, @kind, @link, @created_by, @created_at
where not exists (
  select 1
  from annotation
  where whole_day = @whole_day
    and at = @at
    and kind = @kind
    and text = @text
)
