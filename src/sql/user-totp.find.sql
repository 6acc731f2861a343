-- The second factor of the user.
select t.secret,
  t.confirmed_at,
  (select count(*) from recovery_code r where r.user_id = t.user_id) as recovery_codes
from user_totp t
where t.user_id = @user_id
