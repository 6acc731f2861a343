-- The link with this hash, while it can be used.
select user_id
from login_link
where hash = @hash
  and expires_at > @now
