update import
set undone_at = @at,
  fingerprint = null
where id = @id
