-- The link with this hash, used up.
delete from login_link
where hash = @hash
  and expires_at > @now
returning user_id
