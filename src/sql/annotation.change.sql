-- The annotation with other content.
update annotation
set at = @at,
  whole_day = @whole_day,
  text = @text,
  kind = @kind,
  link = @link
where id = @id
