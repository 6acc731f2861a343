-- A link whose hour is over.
delete from login_link
where expires_at <= @now
