-- A session that lasts longer now.
update login_session
set expires_at = @expires_at
where hash = @hash
