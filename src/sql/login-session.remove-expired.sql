-- A session whose time is over.
delete from login_session
where expires_at <= @now
