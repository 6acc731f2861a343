-- The link with this hash, unless it has expired.
select uuid, hash, name, filters, goals, annotations, password_hash
from share_link
where hash = @hash
  and (expires_at is null or expires_at > @now)
