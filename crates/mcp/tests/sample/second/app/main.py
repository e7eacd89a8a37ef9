from app.models import Admin, User


def main():
    user = User()
    user.save()
    admin = Admin()
    admin.save()
    return render(user)


def render(user):
    return user
