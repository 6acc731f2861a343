-- An application password that was used; another process may have noted it already.
update app_password
set last_used_at = @now,
  last_address = @address
where uuid = @uuid
  and (last_used_at is null or last_used_at <= @before)
